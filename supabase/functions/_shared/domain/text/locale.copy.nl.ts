/** How Dutch texts write days, hours and figures. */
export const locale = "nl-NL";

export const dayWritten = (day: string) => day;

export const hourWritten = (time: string) => time;

export const percentWritten = (figure: string) => `${figure}%`;

/** How Italian texts write days, hours and figures. */
export const locale = "it-IT";

export const dayWritten = (day: string) => day;

export const hourWritten = (time: string) => time;

export const percentWritten = (figure: string) => `${figure}%`;

/** How German texts write days, hours and figures. */
export const locale = "de-DE";

export const dayWritten = (day: string) => day;

export const hourWritten = (time: string) => time;

export const percentWritten = (figure: string) => `${figure}\u00a0%`;

/** A name that no line cuts between a figure and its sign: « 10 % ». */
export function unbroken(name: string): string {
  return name.replace(/(\d) ([%€])/g, "$1\u00a0$2");
}

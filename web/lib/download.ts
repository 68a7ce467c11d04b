/** Hands a file to the browser as a download. */
export function download(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser has taken it once the click is through.
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

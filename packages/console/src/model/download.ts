type TextFile = { filename: string; contentType: string; text: string };

/** Downloads a text generated in the browser as a file. */
export const downloadText = ({ filename, contentType, text }: TextFile): void => {
  const address = URL.createObjectURL(new Blob([text], { type: contentType }));
  const link = document.createElement('a');
  link.href = address;
  link.download = filename;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 0);
};

/** Saves a text file through the browser's download. */
export function saveFile(name: string, { text, type }: { text: string; type: string }): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Leave the browser time to read the file.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

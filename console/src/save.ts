/** Saves a file as a browser download. */
export function saveFile(name: string, parts: readonly BlobPart[], type: string): void {
  const url = URL.createObjectURL(new Blob([...parts], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser reads the URL after click() has returned.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

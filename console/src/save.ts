/** Hands a file to the browser, which saves it as it saves any download. */
export function saveFile(name: string, parts: readonly BlobPart[], type: string): void {
  const url = URL.createObjectURL(new Blob([...parts], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // It is read after the click has returned.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

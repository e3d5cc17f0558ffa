/** Downloads text or bytes as a file with this name. */
export function saveFile(name: string, mediaType: string, content: BlobPart): void {
  const address = URL.createObjectURL(new Blob([content], { type: mediaType }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The download holds its own reference by then.
  setTimeout(() => URL.revokeObjectURL(address))
}

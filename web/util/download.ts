// Saves a text as a file.

/** People write `name`, so characters that a file name cannot hold become hyphens. */
export function saveText(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name.replace(/[^\p{L}\p{N}._ -]+/gu, '-').slice(-120)
  link.click()
  URL.revokeObjectURL(address)
}

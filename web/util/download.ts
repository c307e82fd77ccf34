// Gives a text that the page has as a file to keep.

/** `name` is written by people: what a file's name cannot hold becomes a hyphen. */
export function saveText(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name.replace(/[^\p{L}\p{N}._ -]+/gu, '-').slice(-120)
  link.click()
  URL.revokeObjectURL(address)
}

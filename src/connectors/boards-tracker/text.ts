// Turns the Markdown of a finding into the HTML that Azure DevOps shows, escaping every character of it.

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Paragraphs, code between fences, and lines; nothing of the text becomes markup of its own. */
export function htmlOf(markdown: string): string {
  const parts = markdown.replaceAll('\r\n', '\n').split(/^```[^\n]{0,40}\n?/m)
  return parts
    .map((part, index) =>
      index % 2 === 1
        ? `<pre>${escaped(part.replace(/\n$/, ''))}</pre>`
        : part
            .split(/\n{2,}/)
            .filter((paragraph) => paragraph.trim() !== '')
            .map((paragraph) => `<div>${escaped(paragraph.trim()).replaceAll('\n', '<br>')}</div>`)
            .join(''),
    )
    .join('')
}

// Finds the files whose removal git does not report because another file was renamed onto their path, as when two files swap names.

/** Paths onto which a file was renamed or copied while the diff does not mention a file that was there before; there may have been none. */
export function takenPaths(raw: string): string[] {
  const files = filesOf(raw)
  const told = new Set(files.map(({ from }) => from))
  return files.filter(({ from, to }) => from !== to && !told.has(to)).map(({ to }) => to)
}

/** The files that `git diff --raw -z` names. */
function filesOf(raw: string): { from: string; to: string }[] {
  const words = raw.split('\0')
  const files: { from: string; to: string }[] = []
  for (let at = 0; words[at]?.startsWith(':'); ) {
    const [from = '', to = ''] = words.slice(at + 1, at + 3)
    const isOfTwo = /[RC]\d*$/.test(words[at] ?? '')
    files.push({ from, to: isOfTwo ? to : from })
    at += isOfTwo ? 3 : 2
  }
  return files
}

// Links to a line of source code at the host of its repository.

/** The address of a line at a commit; null if the repository is unknown, or how its host builds addresses. */
export function addressAtHost(
  repository: string | null,
  commit: string | null,
  { path, line }: { path: string; line: number | null },
): string | null {
  if (repository === null || commit === null || !/^[0-9a-f]{7,64}$/i.test(commit) || !URL.canParse(repository))
    return null
  const { protocol, hostname, origin, pathname } = new URL(repository)
  if (protocol !== 'https:') return null
  const base = `${origin}${pathname.replace(/(\.git)?\/*$/, '')}`
  const file = path.split('/').map(encodeURIComponent).join('/')
  const at = (mark: string) => (line === null ? '' : `#${mark}${line}`)
  if (hostname === 'github.com') return `${base}/blob/${commit}/${file}${at('L')}`
  if (hostname === 'bitbucket.org') return `${base}/src/${commit}/${file}${at('lines-')}`
  return /(^|\.)gitlab\./.test(hostname) ? `${base}/-/blob/${commit}/${file}${at('L')}` : null
}

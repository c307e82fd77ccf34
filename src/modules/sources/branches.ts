// Which branches an integration follows: an exact name, or a glob in which * matches anything but a slash and ** matches anything.

/** Whether a branch is followed. `pattern` null: every branch is. */
export function isFollowed(pattern: string | null, branch: string): boolean {
  return pattern === null || matches(pattern, branch)
}

/** Takes time proportional to the product of the lengths, for any pattern. */
function matches(pattern: string, branch: string): boolean {
  const tokens = pattern.match(/\*\*|./gsu) ?? []
  // for each prefix of the branch, whether the tokens so far match it
  let reached = [true, ...Array<boolean>(branch.length).fill(false)]
  for (const token of tokens) {
    const next = Array<boolean>(branch.length + 1).fill(false)
    const isStar = token === '*' || token === '**'
    for (let at = 0; at <= branch.length; at += 1) {
      if (isStar) {
        const isPassed = at > 0 && next[at - 1] === true && (token === '**' || branch[at - 1] !== '/')
        next[at] = reached[at] === true || isPassed
      } else if (at >= token.length && reached[at - token.length] === true) {
        next[at] = token === '?' ? branch[at - 1] !== '/' : branch.startsWith(token, at - token.length)
      }
    }
    reached = next
  }
  return reached[branch.length] === true
}

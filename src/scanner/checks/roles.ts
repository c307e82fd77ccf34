// Words for privileged roles, in the spelling of a known one.

const WORDS = ['admin', 'manager', 'employee', 'staff', 'moderator', 'administrator', 'superuser', 'owner']

/** Other roles, the likeliest first, in the spelling of `before`: `Customer` gives `Admin`, `USER` gives `ADMIN`. */
export function otherRoles(before: string): string[] {
  const spell = (word: string) => {
    if (before !== '' && before === before.toUpperCase()) return word.toUpperCase()
    return /^[A-Z]/.test(before) ? `${word.charAt(0).toUpperCase()}${word.slice(1)}` : word
  }
  return WORDS.filter((word) => word !== before.toLowerCase()).map(spell)
}

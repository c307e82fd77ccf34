// Finds payment card numbers in a text.

const NUMBERS = /(?<![\w.-])(?:4\d{15}|5[1-5]\d{14}|3[47]\d{13}|6011\d{12})(?![\w.-])/g

export const cardsIn = (text: string): string[] => (text.match(NUMBERS) ?? []).filter(isCard)

/** Passes the Luhn check and is not a single repeated digit. */
function isCard(number: string): boolean {
  if (/^(\d)\1+$/.test(number)) return false
  let sum = 0
  for (const [index, digit] of [...number].reverse().entries()) {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}

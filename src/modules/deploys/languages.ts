// Sums up the changed lines of a diff by language.

export type LanguageTotals = { name: string; files: number; added: number; removed: number }

const SHOWN = 100

/** Add files, then ask for the totals; the language with the most lines comes first. */
export function openLanguages() {
  const totals = new Map<string, LanguageTotals>()
  return {
    add({ language, added, removed }: { language: string | null; added: number; removed: number }): void {
      if (language === null) return
      const total = totals.get(language)
      if (total === undefined) totals.set(language, { name: language, files: 1, added, removed })
      else {
        total.files++
        total.added += added
        total.removed += removed
      }
    },
    totals(): LanguageTotals[] {
      const lines = ({ added, removed }: LanguageTotals) => added + removed
      return [...totals.values()].sort((left, right) => lines(right) - lines(left)).slice(0, SHOWN)
    },
  }
}

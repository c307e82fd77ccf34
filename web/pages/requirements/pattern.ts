// How an attack pattern is called: its number in CAPEC with the words that a check gives it.

type Named = { label: string; capecId: string | null }

/** `CAPEC-66: SQL Injection`; of a check that people make its words alone. */
export const patternOf = ({ label, capecId }: Named): string =>
  capecId === null || label.startsWith(`CAPEC-${capecId}`) ? label : `CAPEC-${capecId}: ${label}`

// The name of an attack pattern: its CAPEC number with the label of the check.

type Named = { label: string; capecId: string | null }

/** `CAPEC-66: SQL Injection`; a check that people wrote themselves has only its label. */
export const patternOf = ({ label, capecId }: Named): string =>
  capecId === null || label.startsWith(`CAPEC-${capecId}`) ? label : `CAPEC-${capecId}: ${label}`

// Tells the plain form by the names of its fields: other tools' lists also have a title and a severity, and lose what else they say.

/** In small letters, without blanks, `_` and `-`: those that are read, and those of other systems' plain forms that say nothing here. */
const known = new Set(
  `title description severity type scantype toolname tool testtype ruleid rule vulnidfromtool cwe cwes cweid cweids category cve
  vulnerabilityid vulnerabilityids cvssscore cvssvector cvssv3 cvssv3score cvssv4 cvssv4score epss epssscore epsspercentile reference
  references solution mitigation tags patterns filename filepath file line vulnerableline linenumber column firstline codesnippet snippet
  source sastsourceobject sink sastsinkobject sastsourcefilepath sastsourceline package componentname affectedversion componentversion
  patchedversion fixversion fixavailable packagemanager purl image url endpoints port method parameters param request response impact
  stepstoreproduce fingerprint originalissueidfromtool uniqueidfromtool commitref duplicate falsep falsepositive riskaccepted
  riskaccepteduntil ismitigated mitigated mitigateddate suppressed outofscope status statusreason decisionreason reason date active
  verified underreview knownexploited ransomwareused kevdate numericalseverity severityjustification publishdate staticfinding
  dynamicfinding service nboccurences thread payload files hash effortforfixing planningremediationdate hashcode id`.split(
    /\s+/,
  ),
)

/** Whether at least half of the names are the plain form's. */
export function arePlain(names: readonly string[]): boolean {
  const some = names.map((name) => name.toLowerCase().replace(/["\s_-]/g, '')).filter(Boolean)
  return some.filter((name) => known.has(name)).length * 2 >= some.length
}

/** The names of the object that the text begins with, as far as the text goes; those inside of its values are not among them. */
export function namesIn(text: string): string[] {
  const names: string[] = []
  let depth = 0
  for (const [token, name] of text.matchAll(/"((?:\\.|[^"\\])*)"(?:\s*:)?|[[\]{}]/g)) {
    if (name === undefined) depth += token === '{' || token === '[' ? 1 : -1
    else if (depth === 1 && token.endsWith(':')) names.push(name)
    if (depth <= 0) break
  }
  return names
}

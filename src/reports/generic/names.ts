// Recognises the plain format by its field names: the lists of other tools also have titles and severities, but need readers of their own.

/** In lower case, without blanks, `_` and `-`: the fields that are read, and fields of other systems' plain formats that are ignored. */
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

/** Whether at least half of the names belong to the plain format. */
export function arePlain(names: readonly string[]): boolean {
  const some = names.map((name) => name.toLowerCase().replace(/["\s_-]/g, '')).filter(Boolean)
  return some.filter((name) => known.has(name)).length * 2 >= some.length
}

/** A string, up to the end of the text if it is cut there, and the colon of a name; or a bracket. */
const TOKEN = /"((?:\\[\s\S]|[^"\\])*)(?:"(\s*:)?|\\?$)|[[\]{}]/g

/** The top-level names of the object with which the text begins, as far as the text goes. */
export function namesIn(text: string): string[] {
  const names: string[] = []
  let depth = 0
  for (const [token, name, colon] of text.matchAll(TOKEN)) {
    if (name === undefined) depth += token === '{' || token === '[' ? 1 : -1
    else if (depth === 1 && colon !== undefined) names.push(name)
    if (depth <= 0) break
  }
  return names
}

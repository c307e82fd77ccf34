// Decides which type of finding a SARIF result is, which the format does not say, by the tool.

import type { FindingType } from '../types.ts'
import { onceFor } from '../values.ts'
import type { Rule } from './rules.ts'

/** The beginning of a tool's name, in lower case; the first that fits counts. */
const typeOfTool: readonly (readonly [RegExp, FindingType])[] = [
  [/^snyk container|^docker scout|^clair|^dockle|^anchore|^prisma cloud|^twistcli/, 'CONTAINER_FINDING'],
  [
    /^snyk (iac|infrastructure)|^checkov|^tfsec|^kics|^terrascan|^hadolint|^kube-?score|^kubesec|^kube-?linter/,
    'IAC_FINDING',
  ],
  [/^cfn[-_]|^cloudsploit|^regula|^conftest|^template analy[sz]er|^polaris|^ansible|^terraform|^tflint/, 'IAC_FINDING'],
  [
    /^gitleaks|^trufflehog|^detect-?secrets|^gitguardian|^ggshield|^secretlint|^whispers|^talisman|^betterleaks/,
    'SECRET_FINDING',
  ],
  [/^snyk secrets|^kingfisher|^nosey ?parker|^ripsecrets|^credscan|^credential scanner|^secret/, 'SECRET_FINDING'],
  [/^grype|^snyk open source|^osv|^(owasp )?dependency[- ]check|^(npm|yarn|pnpm|pip|cargo)[- ]audit/, 'SCA_FINDING'],
  [
    /^govulncheck|^black ?duck|^mend|^whitesource|^retire|^safety|^nancy|^auditjs|^nexus|^jfrog|^xray|^socket/,
    'SCA_FINDING',
  ],
  [
    /^(owasp )?zap|^zed attack|^burp|^nuclei|^arachni|^wapiti|^nikto|^stackhawk|^bright|^invicti|^netsparker/,
    'DAST_FINDING',
  ],
  [/^acunetix|^dastardly|^insightappsec|^veracode dynamic|^restler|^schemathesis|^w3af|^skipfish/, 'DAST_FINDING'],
  [/^mobsf|^mobile/, 'MAST_FINDING'],
]

/** Words by which tools that find several things (Trivy, Snyk, GitLab) tell what a rule is about. */
const typeOfRule: readonly (readonly [RegExp, FindingType])[] = [
  [/^ospackagevulnerability/, 'CONTAINER_FINDING'],
  [/^languagespecificpackagevulnerability|^vulnerability$|^sca$|^library/, 'SCA_FINDING'],
  [/^misconfiguration|^iac$|^infrastructure/, 'IAC_FINDING'],
  [/^secrets?$/, 'SECRET_FINDING'],
]

const VULNERABILITY_RULE = /^(?:CVE-\d|GHSA-|SNYK-(?!CC-|CODE-)[A-Z]|BDSA-|RUSTSEC-|PYSEC-|GO-\d|MAL-\d)/i

/** A rule is one tool's. */
const typeSaidOf = onceFor<Rule, FindingType | undefined>()

function typeSaid(toolName: string, rule: Rule | undefined): FindingType | undefined {
  const tool = toolName.toLowerCase()
  const known = typeOfTool.find(([name]) => name.test(tool))
  if (known) return known[1]
  const words = [rule?.name, ...(rule?.tags ?? [])].map((word) => word?.toLowerCase() ?? '')
  return typeOfRule.find(([word]) => words.some((each) => word.test(each)))?.[1]
}

/** By the tool, else by what its rule calls itself, else SAST_FINDING. */
export function typeOf(toolName: string, rule: Rule | undefined, ruleId: string | undefined): FindingType {
  const said = rule === undefined ? typeSaid(toolName, rule) : typeSaidOf(rule, () => typeSaid(toolName, rule))
  if (said) return said
  if (ruleId !== undefined && VULNERABILITY_RULE.test(ruleId)) return 'SCA_FINDING'
  return 'SAST_FINDING'
}

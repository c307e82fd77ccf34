// Interprets one finding in AWS's format: vulnerable packages of a machine, image or function, or a misconfigured resource.

import type { CodeObservation, ComponentObservation, Severity } from '../types.ts'
import {
  at,
  between,
  cvssVectorOf,
  type Fields,
  headline,
  links,
  number,
  object,
  objects,
  paragraphs,
  severityOf,
  some,
  text,
  textAt,
  texts,
  uniq,
  vulnerabilityIdsIn,
} from '../values.ts'

type Common = Pick<CodeObservation, 'toolName' | 'severity' | 'reference' | 'solution' | 'tags' | 'decision'>

function commonOf(finding: Fields): Common {
  const advice = object(at(finding.Remediation, 'Recommendation'))
  return {
    toolName: toolOf(finding),
    severity: severityIn(finding),
    reference: links(text(advice.Url), text(finding.SourceUrl)),
    solution: text(advice.Text),
    tags: some(texts(finding.Types).slice(0, 20)),
    decision:
      textAt(finding, 'Workflow', 'Status') === 'SUPPRESSED'
        ? { status: 'SUPPRESSED', reason: textAt(finding, 'Note', 'Text') ?? 'It is suppressed in Security Hub.' }
        : undefined,
  }
}

/** A third-party product is named only by its ARN: `…:product/prowler/prowler`. */
const toolOf = (finding: Fields): string =>
  text(finding.ProductName, 200) ??
  textAt(finding.ProductFields, 'aws/securityhub/ProductName') ??
  textAt(finding.ProductFields, 'ProviderName') ??
  text(/product\/(?:aws\/)?([^/]{1,100})/.exec(text(finding.ProductArn, 500) ?? '')?.[1]) ??
  'AWS Security Hub'

/** From 0 to 100 if there is no label, by AWS's own bounds. */
function severityIn(finding: Fields): Severity | undefined {
  const severity = object(finding.Severity)
  const named = severityOf(severity.Label)
  const of100 = number(severity.Normalized)
  if (named !== undefined || of100 === undefined) return named
  return of100 >= 90 ? 'CRITICAL' : of100 >= 70 ? 'HIGH' : of100 >= 40 ? 'MEDIUM' : of100 >= 1 ? 'LOW' : 'NOTIFICATION'
}

/** A finding about a resource, which takes the place of a file. */
export function codeOf(finding: Fields, title: string): CodeObservation {
  const resources = objects(finding.Resources)
  const told = resources.map(({ Id, Type, Region }) =>
    [text(Type, 200), text(Id, 500), text(Region, 100)].filter(Boolean).join(' '),
  )
  const related = texts(at(finding.Compliance, 'RelatedRequirements')).slice(0, 50)
  return {
    kind: 'CODE',
    type: 'IAC_FINDING',
    ...commonOf(finding),
    ruleId: ruleOf(finding),
    title: headline(title, title),
    description: paragraphs(
      text(finding.Description),
      told.length === 0 ? undefined : `Resources: ${told.slice(0, 50).join(', ')}`,
      related.length === 0 ? undefined : `Required by ${related.join(', ')}`,
    ),
    vulnerabilityIds: vulnerabilityIdsIn(title),
    originalIssueIdFromTool: text(finding.Id, 500),
    fileName: text(resources[0]?.Id),
    otherPlaces: some(
      resources.slice(1, 101).flatMap(({ Id }) => (text(Id) === undefined ? [] : [{ fileName: text(Id) ?? '' }])),
    ),
  }
}

/** A control is identified by its number; a generator id that is specific to an account says less than the finding's type. */
function ruleOf(finding: Fields): string | undefined {
  const generator = text(finding.GeneratorId)
  const control = textAt(finding, 'Compliance', 'SecurityControlId') ?? textAt(finding.ProductFields, 'ControlId')
  if (generator === undefined || generator.startsWith('arn:')) return control ?? texts(finding.Types)[0] ?? generator
  return generator
}

/** One finding for each vulnerable package of each vulnerability. */
export function componentsOf(finding: Fields, title: string): ComponentObservation[] {
  const pairs = objects(finding.Vulnerabilities).flatMap((vulnerability) =>
    objects(vulnerability.VulnerablePackages).flatMap((affected) => {
      const name = text(affected.Name)
      return name === undefined ? [] : [{ vulnerability, affected, name }]
    }),
  )
  return pairs.slice(0, 1000).map(({ vulnerability, affected, name }) => ({
    ...componentOf(finding, title, vulnerability, affected, name),
    originalIssueIdFromTool: pairs.length === 1 ? text(finding.Id, 500) : undefined,
  }))
}

function componentOf(
  finding: Fields,
  title: string,
  vulnerability: Fields,
  affected: Fields,
  name: string,
): ComponentObservation {
  const resource = object(objects(finding.Resources)[0])
  const image = resource.Type === 'AwsEcrContainerImage' ? imageOf(resource) : undefined
  const rating = ratingOf(vulnerability)
  const common = commonOf(finding)
  const [id, file] = [text(vulnerability.Id), text(affected.FilePath, 1000)]
  return {
    kind: 'COMPONENT',
    type: image === undefined ? 'SCA_FINDING' : 'CONTAINER_FINDING',
    ...common,
    ruleId: id ?? ruleOf(finding),
    title: headline(title, title),
    description: paragraphs(text(finding.Description), file && `In ${file}`),
    cvssScore: between(rating.BaseScore, 0.1, 10),
    cvssVector: cvssVectorOf(rating.BaseVector),
    exploitProbability: between(vulnerability.EpssScore, 0, 1),
    vulnerabilityIds: some(
      uniq([
        ...(vulnerabilityIdsIn(id) ?? []),
        ...(vulnerabilityIdsIn(texts(vulnerability.RelatedVulnerabilities)) ?? []),
      ]),
    ),
    reference: links(
      ...(common.reference?.split('\n') ?? []),
      ...texts(vulnerability.ReferenceUrls),
      textAt(vulnerability.Vendor, 'Url'),
    ),
    solution: text(affected.Remediation) ?? common.solution,
    package: name,
    affectedVersion: versionOf(affected),
    patchedVersion: text(affected.FixedInVersion) === 'NotAvailable' ? undefined : text(affected.FixedInVersion),
    packageManager: text(affected.PackageManager, 100),
    // Many machines have a file of that name, so the place is the machine.
    fileName: image === undefined ? text(resource.Id) : undefined,
    image,
  }
}

/** The score of the newest CVSS version that is given. */
const ratingOf = (vulnerability: Fields): Fields =>
  object(
    objects(vulnerability.Cvss)
      .toSorted((one, other) => (number(other.Version) ?? 0) - (number(one.Version) ?? 0))
      .find(({ BaseScore }) => number(BaseScore) !== undefined),
  )

/** As package managers write it: without an epoch of 0. */
function versionOf({ Epoch, Version, Release }: Fields): string | undefined {
  const version = text(Version, 200)
  const [epoch, release] = [text(Epoch, 20), text(Release, 200)]
  if (version === undefined) return undefined
  return `${epoch === undefined || epoch === '0' ? '' : `${epoch}:`}${version}${release === undefined ? '' : `-${release}`}`
}

/** Stable across builds: the image's repository and tag, else its address. */
function imageOf(resource: Fields): string | undefined {
  const details = object(at(resource, 'Details', 'AwsEcrContainerImage'))
  const [repository, [tag]] = [text(details.RepositoryName, 300), texts(details.ImageTags)]
  if (repository === undefined) return text(resource.Id)
  return tag === undefined ? repository : `${repository}:${tag}`
}

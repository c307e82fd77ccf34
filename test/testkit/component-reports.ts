// Reports about vulnerable components as tools write them, and documents that state something about these.

/** A vulnerability in a version of a package of npm. A `purl` without a version stands for all of them. */
type Vulnerable = { cve: string; name: string; version: string; purl: string }

/** The vulnerability with that number, by default in a package of its own. */
export const vulnerable = (number: number, name = `lib${number}`, version = '1.0'): Vulnerable => ({
  cve: `CVE-2026-${100_000 + number}`,
  name,
  version,
  purl: `pkg:npm/${name}@${version}`,
})

/** As many vulnerabilities from the number on, each in the package of `nameOf`. */
export const vulnerables = (count: number, from = 0, nameOf?: (number: number) => string): Vulnerable[] =>
  Array.from({ length: count }, (_, index) => vulnerable(from + index, nameOf?.(from + index)))

export const trivy = (found: readonly Vulnerable[]) =>
  JSON.stringify({
    SchemaVersion: 2,
    ArtifactName: '.',
    ArtifactType: 'filesystem',
    Results: [
      {
        Target: 'package-lock.json',
        Class: 'lang-pkgs',
        Type: 'npm',
        Vulnerabilities: found.map(({ cve, name, version }) => ({
          VulnerabilityID: cve,
          PkgName: name,
          InstalledVersion: version,
          Severity: 'MEDIUM',
        })),
      },
    ],
  })

export const grype = (found: readonly Vulnerable[], severity: 'Low' | 'Medium' | 'High' | 'Critical' = 'High') =>
  JSON.stringify({
    matches: found.map(({ cve, name, version, purl }) => ({
      vulnerability: { id: cve, severity },
      artifact: { name, version, type: 'npm', purl },
    })),
    descriptor: { name: 'grype' },
  })

/** An OpenVEX document that states the same about each. */
export const openvex = (
  found: readonly Vulnerable[],
  stated: Record<string, string> = { status: 'not_affected', justification: 'vulnerable_code_not_present' },
) =>
  JSON.stringify({
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': 'urn:vex',
    author: 'Shop Security',
    statements: found.map(({ cve, purl }) => ({
      vulnerability: { name: cve },
      products: [{ '@id': purl }],
      ...stated,
    })),
  })

/** A CSAF document in which each component has the same status. */
export const csaf = (found: readonly Vulnerable[], status = 'known_not_affected') =>
  JSON.stringify({
    document: {
      category: 'csaf_vex',
      csaf_version: '2.0',
      title: 'Shop',
      publisher: { name: 'Shop Security' },
      tracking: { id: 'shop-1', current_release_date: '2026-01-01T00:00:00Z' },
    },
    product_tree: {
      full_product_names: found.map(({ name, purl }, index) => ({
        product_id: `P${index}`,
        name,
        product_identification_helper: { purl },
      })),
    },
    vulnerabilities: found.map(({ cve }, index) => ({ cve, product_status: { [status]: [`P${index}`] } })),
  })

/** A CycloneDX bill of these components; with `told`, also their vulnerabilities, and that of each of them. */
export const cyclonedx = (found: readonly Vulnerable[], told?: Record<string, unknown>) =>
  JSON.stringify({
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    components: found.map(({ name, version, purl }, index) => ({
      'bom-ref': String(index),
      type: 'library',
      name,
      version,
      purl,
    })),
    ...(told && {
      vulnerabilities: found.map(({ cve }, index) => ({ id: cve, affects: [{ ref: String(index) }], ...told })),
    }),
  })

// Samples of imports: scanner reports, and the components of bills of materials.

import { inlineFile, type Samples } from './types.ts'

const taken = 'import { id status asset { id } result { read created } } success'

const result = {
  ruleId: 'no-eval',
  message: { text: 'Eval of what the caller sends' },
  locations: [{ physicalLocation: { artifactLocation: { uri: 'src/server.js' }, region: { startLine: 12 } } }],
}

/** A report with one finding. */
export const sarifReport = inlineFile(
  JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'a-scanner' } }, results: [result] }] }),
  'report.sarif',
  'application/sarif+json',
)

export const sbomFile = inlineFile(
  JSON.stringify({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    components: [{ type: 'library', name: 'left-pad', version: '1.3.0', purl: 'pkg:npm/left-pad@1.3.0' }],
  }),
  'bom.json',
  'application/json',
)

export const importSamples = {
  import: {
    select: 'id status asset { id } createdBy { id } rows { collection { at disposition issue { id } } }',
    ids: { id: 'import' },
  },
  imports: {
    select: 'collection { id status asset { id } } metadata { totalCount }',
    ids: { companyId: 'company' },
    optional: { 'assetIds.0': 'asset' },
  },
  importFindings: {
    select: taken,
    variables: () => ({ input: { file: sarifReport } }),
    ids: { 'input.companyId': 'company', 'input.assetId': 'asset' },
    optional: { 'input.deployId': 'deploy', 'input.controlSyncStatusId': 'scan' },
  },
  importAstFindingsFile: {
    select: taken,
    variables: () => ({ input: { file: sarifReport, vulnerabilityTypes: ['SAST_FINDING'] } }),
    ids: { 'input.companyId': 'company', 'input.assetId': 'asset' },
    optional: { 'input.deployId': 'deploy', 'input.controlSyncStatusId': 'scan' },
  },
  importContainerFindingsFile: {
    select: taken,
    variables: () => ({ input: { file: sarifReport } }),
    ids: { 'input.companyId': 'company', 'input.assetId': 'asset' },
    optional: { 'input.deployId': 'deploy', 'input.controlSyncStatusId': 'scan' },
  },
  importSbom: {
    variables: () => ({ input: { file: sbomFile } }),
    ids: { 'input.companyId': 'company', 'input.assetId': 'asset' },
    optional: { 'input.deployId': 'deploy' },
  },
  sbomComponents: {
    ids: { companyId: 'company' },
    optional: { 'search.assetIds.0': 'asset' },
  },
} satisfies Samples

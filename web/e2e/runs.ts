// Scans and certificate credits in every state, for tests and screenshots.

import { administratorKey, run } from '../../test/testkit/client.ts'

/** Scans of the assets in every state. */
export async function newScans(key: string, assetIds: readonly string[], failureReason: string): Promise<void> {
  const begin = async (place: number, integration: string, externalVulnerabilityCount?: number) => {
    const input = { assetId: assetIds[place % assetIds.length], integration, externalVulnerabilityCount }
    const { createControlSyncStatus } = await run(
      key,
      'mutation ($input: CreateControlSyncStatusInput!) { createControlSyncStatus(input: $input) { controlSyncStatus { id } } }',
      { input },
    )
    return createControlSyncStatus.controlSyncStatus.id as string
  }
  const add = (controlSyncStatusId: string, more: Record<string, unknown>) =>
    run(
      key,
      'mutation ($input: IncreaseIssueScanCountInput!) { increaseIssueScanCount(input: $input) { controlSyncStatus { id } } }',
      { input: { controlSyncStatusId, ...more } },
    )
  await add(await begin(0, 'SCANNER_B', 12), { successCount: 12 })
  await add(await begin(1, 'SCANNER_A', 40), {
    failureCount: 1,
    failureReason,
  })
  await run(key, 'mutation ($input: CancelScanInput!) { cancelScan(input: $input) { controlSyncStatus { id } } }', {
    input: { id: await begin(2, 'PLATFORM_DAST') },
  })
  await add(await begin(2, 'PLATFORM_AST', 3), { successCount: 3 })
  await add(await begin(1, 'SCANNER_A', 40), { successCount: 17 })
  await begin(0, 'SCANNER_B')
}

/** Certificate credits: used, free and cancelled. */
export async function newCredits(companyId: string): Promise<void> {
  const grant = async (count: number, allowsWildcard: boolean) => {
    const { grantSslCertificateCredits } = await run(
      administratorKey(),
      'mutation ($input: GrantSslCertificateCreditsInput!) { grantSslCertificateCredits(input: $input) { sslCertificateCredits { id } } }',
      { input: { companyId, count, allowsWildcard, expiresAt: '2099-01-01T00:00:00Z' } },
    )
    return grantSslCertificateCredits.sslCertificateCredits.map(({ id }: { id: string }) => id)
  }
  const [used, spoilt] = await grant(4, false)
  await grant(1, true)
  const change = (field: string, input: Record<string, unknown>) =>
    run(
      administratorKey(),
      `mutation ($input: ${field[0]?.toUpperCase()}${field.slice(1)}Input!) { ${field}(input: $input) { clientMutationId } }`,
      {
        input,
      },
    )
  await change('useSslCertificateCredit', { id: used, domain: 'www.harbour-shop.example' })
  await change('cancelSslCertificateCredit', { id: spoilt })
}

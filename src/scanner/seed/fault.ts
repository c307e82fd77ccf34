// The error for a description that cannot be used.

/** The description cannot be read: one sentence that may be shown. */
export class SeedFault extends Error {
  override readonly name = 'SeedFault'
}

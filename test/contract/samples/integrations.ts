// Samples of integrations with outside tools.

import type { Samples } from './types.ts'

export const integrationSamples = {} satisfies Samples

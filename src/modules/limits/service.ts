// The limits of this installation, as configured.

import type { Config } from '../../core/config.ts'
import type { Context } from '../context.ts'

type ShownLimits = Config['limits'] & { requestMilliseconds: number; statementMilliseconds: number }

/** Any key may read them, so that clients can stay within the limits. */
export const getLimits = ({ config }: Context): ShownLimits => ({
  ...config.limits,
  requestMilliseconds: config.requestTimeout,
  statementMilliseconds: config.statementTimeout,
})

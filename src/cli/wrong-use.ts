// The error that a command throws when it was called wrongly; it ends the process with 2.

import { OperatorError } from '../core/errors.ts'

/** The message says in a sentence what is wrong; the command ends with 2. */
export class WrongUse extends OperatorError {}

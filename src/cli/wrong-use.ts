// What a command throws when it was called in a way that cannot be right.

import { OperatorError } from '../core/errors.ts'

/** The message says in a sentence what is wrong; the command ends with 2. */
export class WrongUse extends OperatorError {}

// The types of console.mjs, which runs before anything is installed and so is plain JavaScript.

export function stampOf(): string
export function buildConsole(): Promise<boolean>

// Opens the files and folders that the caller named; one that cannot be used is reported as wrong use, in one sentence.

import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { WrongUse } from './wrong-use.ts'

type Reasons = Record<string, (path: string) => string>

const notRead: Reasons = {
  ENOENT: (path) => `There is no file ${path}`,
  ENOTDIR: (path) => `There is no file ${path}: its folder is a file`,
  EISDIR: (path) => `${path} is a directory`,
  EACCES: (path) => `${path} may not be read`,
  EPERM: (path) => `${path} may not be read`,
  ELOOP: (path) => `${path} is a link that leads back to itself`,
  ENAMETOOLONG: (path) => `There is no file ${path}: its name is too long`,
}

const notWritten: Reasons = {
  EEXIST: (path) => `${path} already exists: name a new file`,
  ENOENT: (path) => `${path} cannot be written: its folder does not exist`,
  ENOTDIR: (path) => `${path} cannot be written: its folder is a file`,
  EISDIR: (path) => `${path} cannot be written: it is a folder`,
  EACCES: (path) => `${path} cannot be written: the folder or the file may not be written`,
  EPERM: (path) => `${path} cannot be written: the folder or the file may not be written`,
  EROFS: (path) => `${path} cannot be written: the disk may only be read`,
  ELOOP: (path) => `${path} cannot be written: it is a link that leads back to itself`,
  ENAMETOOLONG: (path) => `${path} cannot be written: its name is too long`,
}

/** The result of reading the path; throws WrongUse if the path is at fault rather than the disk. */
export const reading = <T>(path: string, work: Promise<T>): Promise<T> => explained(path, work, notRead)

/** The same for writing to the path. */
export const writing = <T>(path: string, work: Promise<T>): Promise<T> => explained(path, work, notWritten)

async function explained<T>(path: string, work: Promise<T>, reasons: Reasons): Promise<T> {
  try {
    return await work
  } catch (error) {
    const sentence = error instanceof Error && 'code' in error ? reasons[String(error.code)] : undefined
    throw sentence ? new WrongUse(sentence(path)) : error
  }
}

/** The size of a readable file in bytes; 0 for a pipe and the like, whose size is not known before it is read. */
export async function sizeOf(file: string): Promise<number> {
  const found = await reading(file, stat(file))
  if (found.isDirectory()) throw new WrongUse(`${file} is a directory`)
  await reading(file, access(file, constants.R_OK))
  return found.size
}

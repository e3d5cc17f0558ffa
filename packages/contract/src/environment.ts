import { readFileSync } from 'node:fs'

/** Variables that have a value, and the faults of secrets in files, each as `KEY: sentence`. */
export interface ReadEnvironment {
  given: Record<string, string>
  faults: string[]
}

/**
 * Reads the environment of a program. An empty variable counts as unset, because compose files and shells clear
 * variables that way. Each of `secrets` may be in a file instead, which `<KEY>_FILE` names: environments are shown by
 * process lists and inherited by children. Spaces and line breaks around the secret do not count.
 */
export function readEnvironment(
  variables: Readonly<Record<string, string | undefined>>,
  secrets: readonly string[],
): ReadEnvironment {
  const given: Record<string, string> = {}
  for (const [key, value] of Object.entries(variables)) if (value) given[key] = value
  const faults: string[] = []
  for (const key of secrets) {
    const file = given[`${key}_FILE`]
    if (file === undefined) continue
    if (given[key] !== undefined) faults.push(`${key}: is set, and so is ${key}_FILE. Remove one of them.`)
    else {
      const secret = readSecretFile(file)
      if ('fault' in secret) faults.push(`${key}_FILE: ${secret.fault}`)
      else given[key] = secret.value
    }
  }
  return { given, faults }
}

function readSecretFile(file: string): { value: string } | { fault: string } {
  try {
    const value = readFileSync(file, 'utf8').trim()
    return value === '' ? { fault: `the file ${file} is empty. Write the secret into it.` } : { value }
  } catch (error) {
    return { fault: `the file ${file} can't be read (${errorCode(error)}). Check its path and who may read it.` }
  }
}

/** Returns the code of an error of the system, such as ENOENT. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
}

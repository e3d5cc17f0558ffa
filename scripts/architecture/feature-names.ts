import type { Project, Violation } from './project.ts'
import type { ArchitectureRules } from './rules.ts'

/** One word for one thing: a feature has the same name in the contract, on the server and in the web app. */
export function checkFeatureNames({ modules }: Project, { featureNames }: ArchitectureRules): Violation[] {
  const rooms = Object.entries(featureNames.rooms).map(([room, pattern]) => ({
    room,
    names: namesIn(modules.keys(), pattern),
  }))
  const contract = rooms.find(({ room }) => room === 'contract')?.names ?? new Map<string, string>()
  const violations: Violation[] = []
  for (const { room, names } of rooms) {
    for (const [name, file] of names) {
      const missing =
        room === 'contract'
          ? rooms.filter((other) => !other.names.has(name))
          : contract.has(name)
            ? []
            : [{ room: 'contract' }]
      for (const other of missing) {
        const exception = featureNames.exceptions[name]
        if (exception?.absentFrom.includes(other.room)) continue
        violations.push({
          file,
          line: 1,
          message: `belongs to the feature "${name}", which ${other.room} does not know by that name`,
        })
      }
    }
  }
  return violations
}

/** First file of each feature by the feature's name, which is the first group of the pattern. */
function namesIn(files: Iterable<string>, pattern: RegExp): Map<string, string> {
  const names = new Map<string, string>()
  for (const file of files) {
    const name = pattern.exec(file)?.[1]
    if (name && !names.has(name)) names.set(name, file)
  }
  return names
}

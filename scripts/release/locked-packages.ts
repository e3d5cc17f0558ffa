/** One package of package-lock.json, as far as a release reads it. */
export interface LockedPackage {
  version?: string
  /** The folder of the workspace, for a link. */
  resolved?: string
  link?: boolean
  /** `<algorithm>-<base64>`. */
  integrity?: string
  license?: string
  /** Platforms, if the package is for some only. */
  os?: string[]
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
  devDependencies?: Record<string, string> | undefined
  /** Folders; only the repository has them. */
  workspaces?: string[]
}

export interface LockFile {
  /** Keys are paths: `''` is the repository, `node_modules/…` an installed package, anything else a workspace. */
  packages: Record<string, LockedPackage>
}

/**
 * Returns what npm installs for these places outside development, with the places themselves, in the order of the lock
 * file.
 *
 * @param places paths of the lock file, such as `packages/server`
 */
export function packagesFor(lock: LockFile, places: readonly string[]): Map<string, LockedPackage> {
  const reached = new Set<string>()
  const waiting = [...places]
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (reached.has(place)) continue
    reached.add(place)
    waiting.push(...requiredBy(lock, place))
  }
  return new Map(Object.entries(lock.packages).filter(([place]) => reached.has(place)))
}

/** Returns the paths of the packages that a package requires; optional ones without an entry are left out. */
export function requiredBy(lock: LockFile, place: string): string[] {
  const entry = lock.packages[place]
  if (!entry) throw new Error(`package-lock.json has no ${place}: run \`npm install\` once.`)
  if (entry.link) return [entry.resolved ?? '']
  const peers = Object.keys(entry.peerDependencies ?? {}).filter(
    (name) => !entry.peerDependenciesMeta?.[name]?.optional,
  )
  const names = [...Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }), ...peers]
  return names.flatMap((name) => resolved(lock, place, name) ?? [])
}

/** Finds a package as Node does: beside the one that requires it, then further up. */
function resolved(lock: LockFile, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (lock.packages[place]) return place
    if (folder === '') return undefined
  }
}

/** Returns the name of an installed package: `@tanstack/react-query`. */
export function nameOf(place: string): string {
  return place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

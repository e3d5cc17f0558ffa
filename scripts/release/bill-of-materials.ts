import { type LockedPackage, type LockFile, nameOf, packagesFor, requiredBy } from './locked-packages.ts'

/**
 * Describes a release as CycloneDX 1.6, from the lock file alone: `npm sbom` and cyclonedx-npm ask the npm of the
 * machine, so that the result depends on its version, and know no package that is compiled into the web app.
 *
 * @param places whose packages the release installs or contains
 * @param at moment of the release, which makes the same release the same bytes
 */
export function billOfMaterials(
  lock: LockFile,
  { places, version, at }: { places: readonly string[]; version: string; at: Date },
): string {
  const packages = [...packagesFor(lock, places)]
  const installed = packages.filter(([place, entry]) => isInstalled(place, entry))
  const components = new Map(installed.map(([place, entry]) => [purlOf(place, entry), componentOf(place, entry)]))
  const own = `pkg:generic/benchwatch@${version}`
  const needs = new Map<string, Set<string>>([[own, new Set()]])
  for (const [place, entry] of packages) {
    if (entry.link) continue
    const from = isInstalled(place, entry) ? purlOf(place, entry) : own
    const targets = needs.get(from) ?? new Set()
    needs.set(from, targets)
    // What is compiled into the web app, such as the search of the help, is required by no package of the product.
    if (from !== own && places.includes(place)) needs.get(own)?.add(from)
    for (const target of requiredBy(lock, place)) {
      const required = lock.packages[target] as LockedPackage
      if (isInstalled(target, required)) targets.add(purlOf(target, required))
    }
  }
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: at.toISOString(),
      component: {
        'bom-ref': own,
        type: 'application',
        name: 'benchwatch',
        version,
        purl: own,
        licenses: [{ license: { id: 'Apache-2.0' } }],
      },
    },
    components: [...components.values()],
    dependencies: [...needs].map(([ref, targets]) => ({ ref, dependsOn: [...targets].sort() })),
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

/** Returns false for the repository, its workspaces and the links to them. */
function isInstalled(place: string, { link }: LockedPackage): boolean {
  return !link && place.includes('node_modules/')
}

function purlOf(place: string, { version = '' }: LockedPackage): string {
  return `pkg:npm/${nameOf(place).replace('@', '%40')}@${version}`
}

function componentOf(place: string, entry: LockedPackage) {
  const [name = '', group] = nameOf(place).split('/').reverse()
  const [algorithm = '', digest] = entry.integrity?.split('-') ?? []
  return {
    'bom-ref': purlOf(place, entry),
    type: 'library',
    ...(group && { group }),
    name,
    version: entry.version ?? '',
    ...(digest && {
      hashes: [{ alg: algorithm.replace(/^sha/, 'SHA-'), content: Buffer.from(digest, 'base64').toString('hex') }],
    }),
    ...(entry.license && { licenses: [licenseOf(entry.license)] }),
    purl: purlOf(place, entry),
  }
}

function licenseOf(license: string) {
  return /[ (]/.test(license) ? { expression: license } : { license: { id: license } }
}

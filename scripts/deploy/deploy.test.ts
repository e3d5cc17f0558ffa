import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { Deployment } from 'kubernetes-models/apps/v1'
import { Job } from 'kubernetes-models/batch/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { ConfigMap, Service } from 'kubernetes-models/v1'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { findInstalledProgram } from '../installed/installed-program.ts'

const root = path.resolve(import.meta.dirname, '../..')
const read = (place: string) => fs.readFileSync(path.join(root, 'deploy', place), 'utf8')

interface Composed {
  image: string
  profiles?: string[]
  read_only?: boolean
  cap_drop?: string[]
  environment?: Record<string, string>
  volumes?: string[]
}
const { services, volumes } = parse(read('containers/compose.yaml'), { merge: true }) as {
  services: Record<string, Composed>
  volumes: Record<string, null>
}
const ours = Object.values(services).filter(({ image }) => image.includes('BENCHWATCH_IMAGE'))

/** Returns the pod of a Deployment or a Job, as far as the tests below read it. */
function podOf(file: string) {
  const { metadata, spec } = parse(read(`kubernetes/${file}`)).spec.template
  const [container] = spec.containers
  return { labels: metadata.labels, spec, container }
}

test('compose has server, database and gateway, and profiles for NATS, ClickHouse, S3 and two servers', () => {
  expect(ours.length).toBe(3)
  const profiles = Object.values(services).flatMap(({ profiles: named = [] }) => named)
  expect(new Set(profiles)).toEqual(new Set(['clickhouse', 'gateway', 'nats', 's3', 'two']))
  expect(Object.keys(services)).toEqual(expect.arrayContaining(['database', 'gateway', 'server', 'server-2']))
  for (const { read_only: isReadOnly, cap_drop: dropped } of ours)
    expect([isReadOnly, dropped]).toEqual([true, ['ALL']])
  const used = Object.values(services).flatMap(({ volumes: mounted = [] }) =>
    mounted.map((mount) => mount.split(':', 1)[0] ?? ''),
  )
  expect(new Set(used.filter((name) => !name.startsWith('.')))).toEqual(new Set(Object.keys(volumes)))
})

test('compose and the base for Kubernetes set only what the programs read', () => {
  const page = fs.readFileSync(path.join(root, 'docs/configuration.md'), 'utf8')
  const known = [...page.matchAll(/^\| `([A-Z][A-Z0-9_]+)` \|/gm)].map(([, key]) => key)
  const set = [
    ...ours.flatMap(({ environment = {} }) => Object.keys(environment)),
    ...[...read('kubernetes/benchwatch.env').matchAll(/^([A-Z0-9_]+)=/gm)].map(([, key = '']) => key),
  ]
  expect(set.length).toBeGreaterThan(15)
  // The client of S3 finds its own variables.
  const unknown = set.filter((key) => !key.startsWith('AWS_') && !known.includes(key.replace(/_FILE$/, '')))
  expect(unknown).toEqual([])
})

test('pods run as a user who is not root, with a read-only root, limits and without capabilities', () => {
  for (const file of ['deployment.yaml', 'migration-job.yaml']) {
    const { spec, container } = podOf(file)
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10_001, fsGroup: 10_001 })
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(container.resources).toMatchObject({
      requests: { memory: expect.any(String) },
      limits: { memory: expect.any(String) },
    })
    expect(container.volumeMounts[0]).toEqual({ name: 'data', mountPath: '/data' })
  }
  expect(fs.existsSync(path.join(root, podOf('migration-job.yaml').container.args[0]))).toBe(true)
})

test('servers have probes and more time to end than they take, and a disruption leaves one running', () => {
  const { spec, container, labels } = podOf('deployment.yaml')
  expect(container.startupProbe.httpGet.path).toBe('/api/health')
  expect(container.readinessProbe.httpGet.path).toBe('/api/ready')
  expect(container.livenessProbe.httpGet.path).toBe('/api/health')
  expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(10)
  const { replicas, strategy } = parse(read('kubernetes/deployment.yaml')).spec
  expect([replicas, strategy.rollingUpdate.maxUnavailable]).toEqual([2, 0])
  const budget = parse(read('kubernetes/disruption-budget.yaml')).spec
  expect([budget.maxUnavailable, budget.selector.matchLabels]).toEqual([1, labels])
  expect(parse(read('kubernetes/service.yaml')).spec.selector).toEqual(labels)
})

test.runIf(findInstalledProgram('kubectl') !== null)(
  'kubectl builds the base, and Kubernetes knows every object',
  () => {
    const text = execFileSync('kubectl', ['kustomize', path.join(root, 'deploy/kubernetes')], { encoding: 'utf8' })
    const objects = parseAllDocuments(text).map((document) => document.toJS())
    const kinds = { ConfigMap, Deployment, Job, PodDisruptionBudget, Service }
    expect(new Set(objects.map(({ kind }) => kind))).toEqual(new Set(Object.keys(kinds)))
    for (const object of objects) new kinds[object.kind as keyof typeof kinds](object).validate()
    expect(text.match(/image: localhost\/benchwatch:latest/g)?.length).toBe(2)
    const configuration = objects.find(({ kind }) => kind === 'ConfigMap').metadata.name
    expect(text.split(`name: ${configuration}\n`).length - 1).toBe(3)
  },
)

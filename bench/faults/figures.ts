import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../repository.ts'
import type { Result } from './script/verdict.ts'

/** `node bench/faults/figures.ts`: prints all results of the last runs; docs/reliability.md shows those with a goal. */
const folder = join(repositoryRoot, 'bench/results/faults')
const results = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .toSorted()
  .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Result)

/** Told in columns of their own, or no news. */
const elsewhere = new Set(['lost', 'duplicate', 'unsent at the end', 'rejected', 'the server was never restarted'])

console.log('| script | sent | acknowledged | stored | lost | duplicate | goals: measured (wanted) | RSS MB |')
console.log('| --- | --- | --- | --- | --- | --- | --- | --- |')
for (const { name, figures, checks, passed } of results) {
  const figure = (title: string) => {
    const found = checks.find((check) => check.name === title)?.figure ?? figures[title]
    return String(found ?? '–')
  }
  const others = checks.filter((check) => !elsewhere.has(check.name))
  // What must not happen and did not is counted, not listed.
  const isNil = (check: Result['checks'][number]) => check.goal === '0' && check.figure === 0
  const nil = others.filter(isNil).length
  const goals = others
    .filter((check) => !isNil(check))
    .map(({ name: goal, figure: measured, goal: wanted, passed: met }) => {
      const told = `${goal}: ${measured} (${wanted})`
      return met ? told : `**${told}**`
    })
  if (nil > 0) goals.push(`${nil} ${nil === 1 ? 'count' : 'counts'} of what must not happen: 0`)
  const cells = ['sent', 'acknowledged', 'stored', 'lost', 'duplicate'].map(figure)
  const memory = Math.round(Number(figures['peak RSS of the server MB'] ?? 0))
  console.log(`| \`${name}\`${passed ? '' : ' (missed)'} | ${[...cells, goals.join('; '), memory].join(' | ')} |`)
}
const [first] = results
if (first) {
  const { cpu, cores, memoryGB, node } = first.machine
  const commits = [...new Set(results.map(({ commit }) => commit))].join(', ')
  console.log(`\n${cpu}, ${cores} cores, ${memoryGB} GB, Node ${node}; commit ${commits}.`)
}

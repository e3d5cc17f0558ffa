import type { Project, Violation } from './project.ts'

/**
 * Groups of files that import each other, however long the way round. Type imports count: two files that need each
 * other's types are as hard to read apart as two that need each other's code.
 */
export function checkCycles({ modules, arrows }: Project): Violation[] {
  const next = new Map<string, Set<string>>()
  for (const file of modules.keys()) next.set(file, new Set())
  for (const { from, to } of arrows) next.get(from)?.add(to)
  return knots(next).map((files) => {
    const way = wayRound(files, next)
    return {
      file: way[0] ?? '',
      line: 1,
      message: `is part of an import cycle (type imports count): ${[...way, way[0]].join(' → ')}`,
    }
  })
}

/** Tarjan's strongly connected components with more than one member, or with an arrow to itself. */
function knots(next: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const onStack = new Set<string>()
  const found: string[][] = []
  const visit = (file: string): number => {
    const index = order.size
    order.set(file, index)
    let low = index
    stack.push(file)
    onStack.add(file)
    for (const target of next.get(file) ?? []) {
      const known = order.get(target)
      if (known === undefined) low = Math.min(low, visit(target))
      else if (onStack.has(target)) low = Math.min(low, known)
    }
    lowest.set(file, low)
    if (low === index) {
      const members = stack.splice(stack.indexOf(file))
      for (const member of members) onStack.delete(member)
      if (members.length > 1 || next.get(file)?.has(file)) found.push(members)
    }
    return low
  }
  for (const file of next.keys()) if (!order.has(file)) visit(file)
  return found
}

/** One shortest way from a member of a knot back to itself. */
function wayRound(members: readonly string[], next: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const inside = new Set(members)
  const start = [...members].sort()[0] ?? ''
  const cameFrom = new Map<string, string>()
  const queue = [start]
  for (const file of queue) {
    for (const target of next.get(file) ?? []) {
      if (target === start) {
        const way = [file]
        for (let at = file; at !== start; way.unshift(at)) at = cameFrom.get(at) ?? start
        return way
      }
      if (!inside.has(target) || cameFrom.has(target)) continue
      cameFrom.set(target, file)
      queue.push(target)
    }
  }
  return [start]
}

import { ProblemError } from '../../platform/http/problem.ts'
import type { Keyed } from './registry-object.ts'

/** Objects that the registry refuses, with their errors by key. The answer reports the first one. */
export class RefusedObjects extends ProblemError {
  readonly problems: ReadonlyMap<string, ProblemError>

  constructor(first: ProblemError, problems: ReadonlyMap<string, ProblemError>) {
    super(first.code, first.message, first.extras)
    this.problems = problems
  }
}

/** Collects the errors of all objects of one upsert, so that an import can report all of them. */
export class Refusals {
  readonly #problems = new Map<string, ProblemError>()

  /** Makes a row of each object. Objects for which `make` throws a problem are refused and left out. */
  rowsOf<I, R>(objects: readonly Keyed<I>[], make: (object: Keyed<I>) => R): R[] {
    return objects.flatMap((object) => {
      try {
        return [make(object)]
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error
        this.refuse(object.key, error)
        return []
      }
    })
  }

  /** Refuses one object; only its first problem is reported. */
  refuse(key: string, why: ProblemError): void {
    if (!this.#problems.has(key)) this.#problems.set(key, why)
  }

  /** Throws RefusedObjects if any object was refused. */
  end(): void {
    const [first] = this.#problems.values()
    if (first) throw new RefusedObjects(first, this.#problems)
  }
}

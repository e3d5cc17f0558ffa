import { ProblemError } from '../../platform/http/problem.ts'
import type { Keyed } from './registry-object.ts'

/** Objects that the registry refuses, with what is wrong with each, by key. As an answer it is the first one's problem. */
export class RefusedObjects extends ProblemError {
  readonly problems: ReadonlyMap<string, ProblemError>

  constructor(first: ProblemError, problems: ReadonlyMap<string, ProblemError>) {
    super(first.code, first.message, first.extras)
    this.problems = problems
  }
}

/** Gathers what is wrong with the objects of one upsert, so that an import tells it of all of them. */
export class Refusals {
  readonly #problems = new Map<string, ProblemError>()

  /** Makes a row of each object. One for which `make` throws a problem is refused, and missing in the result. */
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

  /** Refuses one object; its first problem is the one that is told. */
  refuse(key: string, why: ProblemError): void {
    if (!this.#problems.has(key)) this.#problems.set(key, why)
  }

  /** Throws RefusedObjects when anything was refused. */
  end(): void {
    const [first] = this.#problems.values()
    if (first) throw new RefusedObjects(first, this.#problems)
  }
}

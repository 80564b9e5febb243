import { type Problem, problemContentType } from '#contract/problem.ts'

/**
 * An error reply of the own API, or one that is none of ours: a proxy on the way answers as it likes. `message` is the
 * problem's detail, or the status where the reply had none.
 */
export class ApiError extends Error {
  readonly status: number
  readonly problem: Partial<Problem>

  private constructor(status: number, problem: Partial<Problem>) {
    super(problem.detail ?? `the server answered ${status}`)
    this.name = 'ApiError'
    this.status = status
    this.problem = problem
  }

  static async from(response: Response): Promise<ApiError> {
    const isOurs = response.headers.get('content-type')?.startsWith(problemContentType)
    const problem = isOurs ? await response.json().catch(() => ({})) : {}
    return new ApiError(response.status, problem)
  }
}

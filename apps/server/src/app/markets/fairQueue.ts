import { OverloadedError } from '../../ports/errors.ts'

/** Runs a limited number of tasks at a time and divides its queue fairly between networks. */
export type FairQueue = {
  /**
   * Runs a task once it is its network's turn.
   *
   * @throws {OverloadedError} if the queue is full and this task's network has the most waiting tasks.
   */
  run<T>(network: string, task: () => Promise<T>): Promise<T>
}

type Waiting = { start: () => void; refuse: (error: OverloadedError) => void }

/**
 * Creates the queue. Networks take turns, and each network's tasks run in call order. When the queue is full, a new task
 * replaces the newest one of the network with the most tasks, so that no network can use up the others' places.
 *
 * A task may finish without any I/O, so each one starts in a separate turn of the event loop. Otherwise, requests that
 * arrive together would block the process until all of them are done.
 */
export function createFairQueue({ maxRunning, maxWaiting }: { maxRunning: number; maxWaiting: number }): FairQueue {
  let running = 0
  let waiting = 0
  /** By network, next one first. No queue is empty. */
  const queues = new Map<string, Waiting[]>()

  const add = (network: string, task: Waiting) => {
    const queue = queues.get(network) ?? []
    queues.set(network, queue)
    queue.push(task)
    waiting += 1
    if (waiting <= maxWaiting) return
    // The new task's network loses ties, so it cannot displace a network that has no more tasks than it.
    const [longest, tasks] = [...queues].reduce((most, other) =>
      other[1].length > most[1].length || (other[1].length === most[1].length && other[0] === network) ? other : most,
    )
    tasks.pop()?.refuse(new OverloadedError())
    waiting -= 1
    if (tasks.length === 0) queues.delete(longest)
  }

  /** Passes a finished task's slot to the next network. */
  const next = () => {
    const [turn] = queues
    if (!turn) {
      running -= 1
      return
    }
    const [network, tasks] = turn
    queues.delete(network)
    const task = tasks.shift()
    if (tasks.length > 0) queues.set(network, tasks)
    waiting -= 1
    if (task) setImmediate(task.start)
  }

  return {
    async run(network, task) {
      await new Promise<void>((start, refuse) => {
        if (running >= maxRunning) return add(network, { start, refuse })
        running += 1
        setImmediate(start)
      })
      try {
        return await task()
      } finally {
        next()
      }
    },
  }
}

// Repeats work that is too much for one statement or transaction, a batch at a time, until nothing is left.

/** Does `step`, which works on `most` at most and answers with how many there were, until there are fewer; answers with how many in all. */
export async function inBatches(most: number, step: (most: number) => Promise<number>): Promise<number> {
  for (let all = 0; ; ) {
    const done = await step(most)
    all += done
    if (done < most) return all
  }
}

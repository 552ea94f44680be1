/** The maker's folder of proof files. */
export type ProofFiles = {
  /**
   * Saves a file, replacing an earlier one of this name. It is on disk when the promise resolves.
   *
   * @returns the file's path.
   */
  save(name: string, text: string): Promise<string>
}

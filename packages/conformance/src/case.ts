export interface Case {
  name: string;
  /**
   * Checks one behaviour of the server. Rejects if the server violates the contract. The test cases of a group run in
   * order, because a test case may depend on earlier ones.
   */
  run(): Promise<void>;
}

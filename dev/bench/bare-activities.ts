export type BareActivities = typeof bareActivities;

export const bareActivities = {
  async step(question: string): Promise<string> {
    return `answer to ${question}`;
  },
};

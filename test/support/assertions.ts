// A test that checks nothing, as when what it would go through is empty, fails.
beforeEach(() => expect.hasAssertions());

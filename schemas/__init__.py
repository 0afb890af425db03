"""Records, contracts, ids and errors: what every other part agrees on; imports nothing of ours."""

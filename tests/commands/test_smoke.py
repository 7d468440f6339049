def test_x(chipwise, built):
    for a in (["ask", "How much memory does the H200 have?"], ["sources"], ["status"], ["doctor"], ["show","h200#2"], ["search","optical"], ["ask","zorgon accelerator price"], ["sources", "h200"], ["show", "zorgon"], ["ask", "Is the Frobnicator 9000 fast?"]):
        r = chipwise(*a, kb=built)
        print(a, r.exit_code); print(r.output)
    assert 0

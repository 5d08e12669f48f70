"""Parts of records and arrays as values and targets, enumerations by their numbers, and what is
said where one is wrong. Models with values are in tests/models/functions."""

from harness import check_exit, contains, main, run


def show(text):
    return run("show", "-", stdin=text)


def test_targets_of_sections_that_are_no_parts():
    text = """record R Real x; Real z[2]; end R;
model M
  R a[2];
algorithm
  a[1].x := 1;
  a[2].z := {1, 2};
end M;"""
    check_exit(show(text), 0)
    for new, word in (("a[1].w := 1", "the record has no member 'w'"),
                      ("a[3].x := 1", "subscript 3 is outside 1:2"),
                      ("a[1].z := {1, 2, 3}", "has size [2], this value has size [3]"),
                      ("a[1,1].x := 1", "'a[1,1].x' cannot be assigned here")):
        err = check_exit(show(text.replace("a[1].x := 1", new)), 3).err
        contains(err, word)
        contains(err, ":5:3: error:")


def test_an_element_that_is_not_declared_cannot_be_assigned():
    text = "class C Real x[1]; Real x[3]; algorithm x[1] := 1; end C;"
    contains(check_exit(show(text), 3).err, "'x' cannot be assigned")
    text = "class C parameter Real x[1] = 1; parameter Real x[2] = 2; algorithm x[1] := 1; end C;"
    contains(check_exit(show(text), 3).err, "'x' cannot be assigned")


def test_members_of_what_is_no_record():
    text = "model M Real x = (time + 1).y; end M;"
    contains(check_exit(show(text), 3).err, ":1:29: error: 'y' is a member of a record")
    contains(check_exit(show("model M Real x = (time).; end M;"), 3).err, "a name after '.'")


def test_a_value_of_an_enumeration_by_its_number():
    text = """type C = enumeration(r, g, b);
model M
  Integer k = integer(4*time); C c(start = C.r);
equation
  when time > 0.2 then c = C(k); end when;
end M;"""
    err = check_exit(run("simulate", "-", stdin=text), 5).err
    contains(err, "5:28: assertion failed at t = 0.2: 'C' has values 1 to 3 only")
    contains(check_exit(show(text.replace("C(k)", "C(4)")), 3).err,
             ":5:28: error: 'C' has values 1 to 3 only")
    contains(check_exit(show(text.replace("C(k)", "C(0.5)")), 3).err,
             "'C' takes the number of one of its values")


def test_an_enumeration_that_depends_on_time_is_a_variable():
    shown = check_exit(show("""type C = enumeration(r, g, b);
model M C e = if time > 0.5 then C.g else C.r; end M;"""), 0).out
    contains(shown, "Integer e(start = 1) = if time > 0.5 then 2 else 1;")


def test_a_value_of_a_record_comes_before_values_of_its_parts():
    text = """package P
record Point Real x; Real y = 2*x; end Point;
record Segment Point a; Point b(x = 5, y(start = 3)); end Segment;
model A
  Segment s = Segment(Point(0), Point(3, 4)); Segment t(a(x = 1)); Segment u(b(x = 6), a(x = 1));
end A;
model B extends A; end B;
end P;"""
    flat = text.replace("package P\n", "").replace("model B extends A; end B;\nend P;", "")
    for shown in (check_exit(show(text), 0).out, check_exit(show(flat), 0).out):
        for line in ("Real s.b.x = 3;", "Real s.b.y(start = 3) = 4;", "Real t.b.x = 5;",
                     "Real u.b.x = 6;"):
            contains(shown, line)


main(globals())

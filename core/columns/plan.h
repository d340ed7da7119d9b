/* Plans: which feature modules compute columns, and what each is given. */
#ifndef VICTOR_PLAN_H
#define VICTOR_PLAN_H

#include "columns/batch.h"

typedef struct {
    const Module *module;
    int64_t n_columns;
    const Array *parameters, *inputs; /* no inputs: every batch has its own */
} Step;

/* Arrays that were borrowed one after the other. */
typedef struct {
    Array *arrays;
    int64_t count, room;
} Borrowed;

/* What is the same for all batches. */
typedef struct {
    Step *steps;
    int64_t n_steps, n_columns, most_columns; /* of all steps, and of the widest one */
    const Array *basics;
    Borrowed borrowed;
    Arena arena;
} Plan;

/* A plan at work on a batch. */
typedef struct {
    const Plan *plan;
    const Batch *batch;
    const Array **inputs; /* of every step */
    uint8_t *codes; /* (n_columns, n_blocks) of all steps */
    float *raw;     /* (n_raw, n_blocks) values that are wanted as they are */
    int64_t n_raw;
    Borrowed borrowed;
    Arena arena;
} Call;

/* Begin with what Python gives; -1 with an exception set. It is to be closed anyway. */
int call_open(Call *call, PyObject *module, PyObject *object, PyObject *capsule, PyObject *inputs);
void call_close(Call *call);
/* Compute codes and values, without the interpreter. */
Outcome compute_columns(Call *call);

#endif
